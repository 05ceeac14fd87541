/** The style of the page. Fonts and colours are those of the system, in light and dark mode. */
export const style = `
:root { color-scheme: light dark; background: canvas; color: canvastext; font: 1rem/1.5 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 25%, transparent) }
body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
.columns { display: grid; gap: 0 2.5rem; grid-template-columns: minmax(0, 1fr) }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 21rem minmax(0, 1fr) }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto }
}
h1 { font-size: 1.75rem; margin: 0 }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .5rem }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem }
nav h2 { font-size: 1.1rem; margin: 1rem 0 .25rem }
main > ul { margin: .5rem 0; padding-left: 1.5rem }
main > ul li { margin: .25rem 0 }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0 }
nav li { font-size: .95em; margin: .35rem 0; line-height: 1.35 }
nav a { text-decoration: none }
nav a:hover { text-decoration: underline }
p { margin: .5rem 0 }
article { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin: 1rem 0 }
section > h3 { margin-top: 1.75rem }
.summary { font-weight: 600 }
.access { font-style: italic }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
pre { white-space: pre-wrap; margin: .25rem 0 .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .375rem }
dl { margin: .25rem 0 .75rem }
dt { margin-top: .5rem }
dt > code { font-weight: 600 }
dt > span { font-size: .9em }
dd { margin: 0 0 0 1.25rem }
dd > dl { border-left: 1px solid var(--line); padding-left: .75rem }
.response { border-top: 1px solid var(--line); padding-top: .5rem }
.details { margin-left: 1.25rem }
summary { cursor: pointer }
.method { font: 600 .85em ui-monospace, monospace; white-space: nowrap }
.get { color: light-dark(#116329, #7ee2a0) }
.post { color: light-dark(#0b4fc0, #8ab4f8) }
.put { color: light-dark(#7a4d00, #f2c260) }
.patch { color: light-dark(#6b2fb3, #d0a8ff) }
.delete { color: light-dark(#a3201a, #ffa198) }
:target { scroll-margin-top: 1rem }
`;
