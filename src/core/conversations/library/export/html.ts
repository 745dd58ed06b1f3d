import { createHash } from 'node:crypto'
import type { FileConversation, FileMessage } from '../../../../shared/library/conversation-file.ts'
import type { ExportText } from './export-text.ts'
import { factsOf, notIncluded, shownMessages, speakerOf, timeOf } from './message-text.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2rem 0 0; }
.facts { margin: 0; font-size: 0.8125rem; opacity: 0.75; }
img { max-width: 100%; height: auto; }
.text { margin: 0.5rem 0 0; white-space: pre-wrap; unicode-bidi: plaintext; }
article + article { margin-top: 4rem; border-top: 1px solid; }
`

/** No scripts, no loading, no sending, only this style, and only images that are in the file. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`

/**
 * The visible branch of each conversation. All content is escaped, so that it's only ever shown as text.
 */
export function htmlText(now: number): ExportText {
  return {
    begin: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conversations, saved by Sotto ${timeOf(now)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`,
    conversation: htmlOf,
    end: '</main>\n</body>\n</html>\n',
  }
}

function htmlOf(conversation: FileConversation): string {
  const { title, createdAt, model, folder, systemPrompt } = conversation
  const prompt = systemPrompt ? section('Instruction', [], systemPrompt) : ''
  return `<article>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p class="facts">${escapeHtml([timeOf(createdAt), model, ...(folder === undefined ? [] : [`in “${folder}”`])].join(' · '))}</p>
${prompt}${shownMessages(conversation).map(messageOf).join('')}</article>
`
}

function messageOf(message: FileMessage): string {
  const reasoning = message.reasoning ? section('Reasoning', [], message.reasoning) : ''
  const calls = (message.toolCalls ?? [])
    .map(({ name, arguments: args }) => section(`Tool asked for, and not run: ${name}`, [], args))
    .join('')
  const sources = (message.citations ?? [])
    .map(({ url, title = '' }, at) => `${String(at + 1)}. ${title} ${url}`)
    .join('\n')
  return (
    reasoning +
    section(speakerOf(message), factsOf(message), message.text) +
    (message.images ?? []).map(imageOf).join('') +
    calls +
    (sources === '' ? '' : section('Sources', [], sources))
  )
}

function imageOf({ name, type, content }: NonNullable<FileMessage['images']>[number]): string {
  if (type === undefined || content === undefined)
    return `<p class="facts">${escapeHtml(notIncluded(name))}</p>\n`
  return `<p><img alt="${escapeHtml(name)}" src="data:${escapeHtml(type)};base64,${escapeHtml(content)}"></p>\n`
}

function section(heading: string, facts: readonly string[], text: string): string {
  const line = facts.length > 0 ? `<p class="facts">${escapeHtml(facts.join(' · '))}</p>\n` : ''
  return `<section>\n<h2>${escapeHtml(heading)}</h2>\n${line}<div class="text" dir="auto">${escapeHtml(text)}</div>\n</section>\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Also removes control characters, which HTML forbids. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')
    .replace(/(?![\t\n\r])[\p{Cc}\u2028\u2029]/gu, '\ufffd')
}
