import { slug, themes, translations, widths, type Capture } from './capture.ts'

/** One page with all pictures: a row for each screen, wide and narrow, light and dark, then narrow in other languages. */
export function contactSheet(captures: readonly Capture[], at: Date): string {
  const groups = [...new Set(captures.map(({ group }) => group))]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Screens of Sotto</title>
<style>
  body { margin: 2rem; font: 15px/1.5 system-ui, sans-serif; background: #e8e8e6; color: #1c1c1a }
  nav a { margin-right: 1rem }
  h2 { margin: 3rem 0 0 }
  section > h3 { margin: 2rem 0 .5rem }
  .row { display: grid; grid-template-columns: 8fr 8fr repeat(5, 3fr); gap: .75rem; align-items: start }
  img { width: 100%; display: block; border: 1px solid #0003 }
  figure { margin: 0 } figcaption { font-size: 12px; color: #555 }
  pre { white-space: pre-wrap; border-left: 4px solid #b00; padding-left: .75rem }
</style>
</head>
<body>
<h1>Screens of Sotto</h1>
<p>${String(captures.length)} screens, ${themes.join(' and ')}, at ${widths.join(' and ')} pixels, and in ${translations.join(', ')}. Taken ${at.toISOString()}.</p>
<nav>${groups.map((group) => `<a href="#${slug(group)}">${escaped(group)}</a>`).join('')}</nav>
${groups
  .map(
    (group) =>
      `<h2 id="${slug(group)}">${escaped(group)}</h2>\n${captures
        .filter((each) => each.group === group)
        .map(row)
        .join('\n')}`,
  )
  .join('\n')}
</body>
</html>
`
}

function row({ screen, pictures, failure }: Capture): string {
  const figures = pictures.map(
    ({ file, width, theme, language }) =>
      `<figure><a href="pictures/${file}"><img loading="lazy" src="pictures/${file}" alt="${escaped(screen)}, ${language}, ${theme}, ${String(width)} pixels"></a><figcaption>${language}, ${theme}, ${String(width)}</figcaption></figure>`,
  )
  return `<section><h3>${escaped(screen)}</h3>${failure === undefined ? '' : `<pre>${escaped(failure)}</pre>`}<div class="row">${figures.join('')}</div></section>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
