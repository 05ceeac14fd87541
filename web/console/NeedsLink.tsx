import type { ComponentChildren } from 'preact';
import { Alert } from '../shared/ui/Alert.tsx';

export function NeedsLink({ children }: { readonly children: ComponentChildren }) {
  return (
    <Alert kind="info">
      <p>{children}</p>
      <p>
        Open a sign-in link: press <code>o</code> in the terminal of <code class="token">npm start</code>, or
        run <code class="token">npx dogs sign-in</code>.
      </p>
    </Alert>
  );
}
