/** Makes the page look like the other pages of the service. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f8f6f2, #161412);
  --card: light-dark(#fff, #1f1c1a);
  --well: light-dark(#f4f1ec, #171513);
  --line: light-dark(#e2dcd3, #37322d);
  --control: light-dark(#8d8478, #7d746a);
  --text: light-dark(#24201c, #ece6df);
  --accent: light-dark(#a5461a, #f0a079);
  --on-accent: light-dark(#fff, #2a1208);
  font: 1rem / 1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--paper);
  -webkit-text-size-adjust: 100%;
}
* { box-sizing: border-box; }
body, h1, p { margin: 0; }
header {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-height: 3.5rem;
  padding: 0.25rem clamp(1rem, 2vw, 1.5rem);
  font-weight: 650;
  background: var(--card);
  border-bottom: 1px solid var(--line);
}
svg { fill: var(--accent); }
main {
  display: grid;
  gap: 1.25rem;
  max-width: 38rem;
  margin: 0 auto;
  padding: 1.75rem clamp(1rem, 3vw, 2rem);
}
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em; }
.card {
  display: grid;
  gap: 1rem;
  padding: 1.25rem;
  overflow-wrap: anywhere;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
button {
  padding: 0.4375rem 0.9375rem;
  font: inherit;
  font-weight: 550;
  line-height: 1.4;
  color: var(--text);
  background: transparent;
  border: 1px solid var(--control);
  border-radius: 0.4375rem;
  cursor: pointer;
}
button:hover { background: var(--well); }
.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.main:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 51.99rem) {
  button { min-height: 2.75rem; }
  .card { padding: 1rem; }
}
`;
