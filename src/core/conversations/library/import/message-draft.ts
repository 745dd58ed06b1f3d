import {
  MAX_TOOL_ARGUMENTS,
  MAX_TOOL_CALLS,
  type Citation,
  type ToolCall,
} from '../../../../shared/answer-parts.ts'
import { Citations } from '../../answer/citations.ts'
import { asList, asObject, asText, textFrom, type JsonObject, type LeftOut } from './imported.ts'

const MAX_EXCERPT = 2000
const MAX_TITLE = 300
const MAX_NAME = 200

interface DraftContent {
  readonly text: string
  readonly reasoning: string | undefined
  readonly citations: Citation[] | undefined
  readonly toolCalls: ToolCall[] | undefined
}

/** Collects the parts of one imported message. A part that can't be imported is counted by its kind. */
export class MessageDraft {
  readonly #leftOut: LeftOut
  readonly #texts: string[] = []
  readonly #reasoning: string[] = []
  readonly #calls: { id: string; call: ToolCall }[] = []
  readonly #citations = new Citations()

  constructor(leftOut: LeftOut) {
    this.#leftOut = leftOut
  }

  addText(text: string): void {
    if (text.trim() !== '') this.#texts.push(text)
  }

  addReasoning(text: string): void {
    if (text.trim() !== '') this.#reasoning.push(text)
  }

  /** The text of an attached file, under the name of the file. */
  addFile(name: string, text: string): void {
    if (text.trim() !== '') this.addText(`${name === '' ? 'Attachment' : name}:\n\n${fenced(text)}`)
  }

  /** A source without a web address has no link to show, and is counted. */
  addCitation(url: string, title: string, excerpt = ''): void {
    if (!/^https?:/i.test(url)) this.#leftOut.add('citations')
    else
      this.#citations.add([
        {
          url,
          title: title === '' ? undefined : title.slice(0, MAX_TITLE).toWellFormed(),
          excerpt: excerpt === '' ? undefined : excerpt.slice(0, MAX_EXCERPT).toWellFormed(),
          mark: undefined,
        },
      ])
  }

  addCall(name: string, input: unknown, result?: unknown, id = ''): void {
    if (this.#calls.length >= MAX_TOOL_CALLS) {
      this.#leftOut.add('tools')
      return
    }
    const output = result === undefined ? '' : written(result)
    this.#calls.push({
      id,
      call: {
        name: name.slice(0, MAX_NAME).toWellFormed(),
        arguments: this.#limited(written(input)),
        ...(output !== '' && { result: this.#limited(output) }),
      },
    })
  }

  /** The result belongs to the call with this ID, otherwise to the last call without a result. */
  addResult(name: string, result: unknown, id = ''): void {
    const output = written(result)
    if (output.trim() === '') return
    const found =
      this.#calls.find((each) => id !== '' && each.id === id && each.call.result === undefined) ??
      (id === '' ? this.#calls.findLast(({ call }) => call.result === undefined) : undefined)
    if (found) found.call = { ...found.call, result: this.#limited(output) }
    else this.addCall(name, '', output, id)
  }

  /** Adds one part of a message's content, in any of the forms that chat APIs and their clients use. */
  addPart(value: unknown): void {
    if (value === null || value === undefined) return
    if (typeof value === 'string') {
      this.addText(value)
      return
    }
    const part = asObject(value)
    if (!part) {
      this.#leftOut.add('other')
      return
    }
    if (Array.isArray(part['parts'])) {
      this.addContent(part['parts'])
      return
    }
    const type = typeOf(part)
    if (/image/.test(type)) this.#leftOut.add('images')
    else if (/audio|video/.test(type) && !/transcription/.test(type)) this.#leftOut.add('recordings')
    else if (/redacted/.test(type)) this.#leftOut.add('reasoning')
    else if (/think|reason|thought/.test(type)) this.addReasoning(textOf(part) || textsOf(part))
    else if (/(?:result|output)$/i.test(type) && !/^output/.test(type)) this.#addResultPart(part)
    else if (/tool|function/.test(type)) this.#addCallPart(part)
    else if (/^(?:file|document|input_file|container_upload)/.test(type)) this.#addFilePart(part)
    else if (type === 'token_budget' || type === 'step-start') return
    else if (/^source/.test(type)) this.addCitation(asText(part['url']), asText(part['title']))
    else if (type === 'error') this.addText(errorText(part['error']) || textOf(part))
    else {
      const text = textOf(part)
      if (text === '' && !/text/.test(type)) this.#leftOut.add('other')
      this.addText(text)
      for (const each of [...asList(part['citations']), ...asList(part['annotations'])]) {
        const { url, title, cited_text: cited } = asObject(asObject(each)?.['url_citation'] ?? each) ?? {}
        if (asText(url) !== '') this.addCitation(asText(url), asText(title), asText(cited))
      }
    }
  }

  /** Adds content that is text or a list of parts. */
  addContent(content: unknown): void {
    if (Array.isArray(content)) for (const part of asList(content)) this.addPart(part)
    else this.addPart(content)
  }

  /** Adds the member `tool_calls` of a message. */
  addToolCalls(calls: unknown): void {
    for (const each of asList(calls)) {
      const call = asObject(each)
      if (call) this.#addCallPart(call)
      else this.#leftOut.add('tools')
    }
  }

  /** @returns null if there is no text, reasoning or tool call */
  finish(): DraftContent | null {
    const text = textFrom(this.#texts.join('\n\n'), this.#leftOut)
    const reasoning = textFrom(this.#reasoning.join('\n\n'), this.#leftOut) ?? undefined
    if (text === null && reasoning === undefined && this.#calls.length === 0) return null
    return {
      text: text ?? '',
      reasoning,
      citations: this.#citations.list(0),
      toolCalls: this.#calls.length === 0 ? undefined : this.#calls.map(({ call }) => call),
    }
  }

  #addCallPart(part: JsonObject): void {
    const call =
      asObject(part['function'] ?? part['tool_call'] ?? part['toolCall'] ?? part['toolCallRequest']) ?? part
    this.addCall(
      asText(call['name'] ?? call['toolName'] ?? part['name']) || toolOf(asText(part['type'])),
      call['arguments'] ?? call['args'] ?? call['input'] ?? call['parameters'] ?? '',
      call['output'] ?? call['result'] ?? call['response'],
      asText(part['id'] ?? part['toolCallId'] ?? part['call_id']),
    )
  }

  #addResultPart(part: JsonObject): void {
    const { content, output, result } = part
    this.addResult(
      asText(part['name'] ?? part['toolName']) || 'tool',
      content ?? output ?? result,
      asText(part['tool_use_id'] ?? part['toolCallId'] ?? part['call_id']),
    )
  }

  #addFilePart(part: JsonObject): void {
    const file = asObject(part['file']) ?? part
    const text = asText(asObject(file['data'])?.['content'] ?? file['text'] ?? file['content'])
    if (text === '') this.#leftOut.add('files')
    else this.addFile(asText(file['filename'] ?? file['name'] ?? part['name']), text)
  }

  #limited(text: string): string {
    if (text.length <= MAX_TOOL_ARGUMENTS) return text.toWellFormed()
    this.#leftOut.add('cut')
    return text.slice(0, MAX_TOOL_ARGUMENTS).toWellFormed()
  }
}

/** @returns the text as a code block that no fence inside it can close */
export function fenced(text: string, language = ''): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${text}\n${fence}`
}

/** The kind of a part. Google's API has no member for it. */
function typeOf(part: JsonObject): string {
  const { inlineData, inline_data: inline, fileData } = part
  const media = asObject(inlineData ?? inline ?? fileData)
  if (media) {
    const mime = asText(media['mimeType'] ?? media['mime_type'])
    return /^(?:image|audio|video)\//.test(mime) ? mime : 'file'
  }
  if ('driveImage' in part) return 'image'
  if (part['thought'] === true || part['isThought'] === true) return 'thought'
  return asText(part['type'] ?? part['content_type'])
}

/** The AI SDK writes the name of a tool in the type of its part. */
function toolOf(type: string): string {
  return (/^tool-(?!call$|invocation$)(.+)$/.exec(type)?.[1] ?? '') || 'tool'
}

/** @returns the text of an error that a client stored, or '' */
export function errorText(error: unknown): string {
  const { message, content } = asObject(error) ?? {}
  return asText(error) || asText(message) || asText(content)
}

/** The texts of a list in a part, such as the summary of a reasoning. */
function textsOf({ summary, content }: JsonObject): string {
  return [...asList(summary), ...asList(content)]
    .map((each) => asText(each) || textOf(asObject(each) ?? {}))
    .filter((text) => text !== '')
    .join('\n\n')
}

/** @returns the text that a part holds under one of its usual members, or '' */
function textOf(part: JsonObject): string {
  const { text, content, thinking, think, reasoning, refusal } = part
  for (const value of [text, thinking, think, reasoning, content, refusal]) {
    if (typeof value === 'string' && value !== '') return value
    const inner = asText(asObject(value)?.['value'])
    if (inner !== '') return inner
  }
  return ''
}

/** @returns the value as text: text parts are joined, and anything else is JSON */
function written(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2)
  return value.map((part) => (asObject(part) && textOf(asObject(part) ?? {})) || written(part)).join('\n')
}
