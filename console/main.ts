/** The service's URL, without a slash at its end: a stage may be in the path. */
const base = location.href.replace(/[?#].*$/, '').replace(/\/$/, '');

document.querySelector('main')?.append(`The service is at ${base}.`);
