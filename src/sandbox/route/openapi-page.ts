import type { Description, Operation } from './openapi.ts'

/** The description as a page: no script, nothing loaded. */
export function page({ info, paths }: Description): string {
  const tags = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? ''
      tags.set(tag, [...(tags.get(tag) ?? []), section(method.toUpperCase(), path, operation)])
    }
  }
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(info.title)}</title><style>${style}</style></head>
<body><main><h1>${escaped(info.title)}</h1><p>${escaped(info.description)} For tools: <a href="/openapi.json">openapi.json</a>.</p>
${[...tags].map(([tag, sections]) => `<h2>${escaped(tag)}</h2>\n${sections.join('\n')}`).join('\n')}
</main></body></html>
`
}

const style =
  'body{font:16px/1.5 system-ui;margin:0;color-scheme:light dark}main{max-width:60rem;margin:0 auto;padding:1rem}h3{font-family:ui-monospace,monospace;font-size:1rem;margin:1.5rem 0 0;overflow-wrap:anywhere}pre{overflow:auto;font-size:.8rem}dt{font-family:ui-monospace,monospace}details{margin:.25rem 0}'

function section(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map(
    ({ name, in: place, required, schema }) =>
      `<dt>${escaped(name)}</dt><dd>${place}${required ? ', required' : ''}${schemaDetails(schema)}</dd>`,
  )
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<p>Body, ${escaped(type)}:</p>${schemaDetails(schema)}`,
  )
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<dt>${escaped(status)}</dt><dd>${escaped(description)}${content ? schemaDetails(content) : ''}</dd>`,
  )
  const credentials = operation.security.map((entry) => Object.keys(entry)[0] ?? 'none')
  return `<h3>${method} ${escaped(path)}</h3><p>${escaped(operation.summary)}. Credential: ${escaped(credentials.join(', '))}.</p>
${parameters.length > 0 ? `<dl>${parameters.join('')}</dl>` : ''}${bodies.join('')}<dl>${answers.join('')}</dl>`
}

function schemaDetails(schema: unknown): string {
  return `<details><summary>schema</summary><pre>${escaped(JSON.stringify(schema, undefined, 2))}</pre></details>`
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '')
}
