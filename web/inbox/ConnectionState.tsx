import { Alert } from '../shared/ui/Alert.tsx';
import { connection } from './mails.ts';

export function ConnectionState() {
  if (connection.value === 'live') return <span class="live">Live</span>;
  return (
    <Alert kind="bad">
      {connection.value === 'lost'
        ? 'The service does not respond. This page tries again every few seconds.'
        : 'This inbox has moved. Open the URL that npm start prints.'}
    </Alert>
  );
}
