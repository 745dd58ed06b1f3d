import type { FileConversation, FileMessage } from '../../../../shared/library/conversation-file.ts'
import type { ExportText } from './export-text.ts'
import { factsOf, notIncluded, shownMessages, speakerOf, timeOf } from './message-text.ts'

/** The visible branch of each conversation. Messages are unchanged, because they are Markdown already. */
export function markdownText(now: number): ExportText {
  return { begin: `<!-- Saved by Sotto, ${timeOf(now)} -->\n`, conversation: markdownOf, end: '' }
}

function markdownOf(conversation: FileConversation): string {
  const { title, createdAt, model, folder, systemPrompt } = conversation
  const head = `\n# ${line(title)}\n\n${line([timeOf(createdAt), model, ...(folder === undefined ? [] : [`in “${folder}”`])].join(', '))}\n`
  const prompt = systemPrompt ? `\n## Instruction\n\n${systemPrompt}\n` : ''
  return `${head}${prompt}${shownMessages(conversation).map(messageOf).join('')}`
}

function messageOf(message: FileMessage): string {
  const reasoning = message.reasoning
    ? `\n${message.reasoning
        .split(/\r\n|\r|\n/)
        .map((each) => `> ${each}`)
        .join('\n')}\n`
    : ''
  return `\n## ${speakerOf(message)}\n\n_${line(factsOf(message).join(' · '))}_\n${reasoning}\n${closed(message.text)}\n${imagesOf(message)}${callsOf(message)}${sourcesOf(message)}`
}

function imagesOf({ images = [] }: FileMessage): string {
  return images
    .map(({ name, type, content }) =>
      type === undefined || content === undefined
        ? `\n${line(notIncluded(name))}\n`
        : `\n![${line(name)}](data:${type};base64,${content})\n`,
    )
    .join('')
}

function callsOf({ toolCalls = [] }: FileMessage): string {
  return toolCalls
    .map(
      ({ name, arguments: args }) =>
        `\nAsked for the tool ${line(name)}, which was not run:\n\n${args
          .split(/\r\n|\r|\n/)
          .map((each) => `    ${each}`)
          .join('\n')}\n`,
    )
    .join('')
}

function sourcesOf({ citations = [] }: FileMessage): string {
  return citations.length === 0
    ? ''
    : `\nSources:\n\n${citations.map(({ url, title }, at) => `${String(at + 1)}. ${line(title ?? '')} <${url}>`).join('\n')}\n`
}

/** Closes an open code block of a message, which would otherwise include all that follows. */
function closed(text: string): string {
  let open: string | undefined
  for (const [, fence = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (open === undefined) open = fence
    else if (fence.startsWith(open)) open = undefined
  }
  return open === undefined ? text : `${text}\n${open}`
}

/** One line with escaped Markdown and HTML. */
function line(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!~&]/g, '\\$&')
}
