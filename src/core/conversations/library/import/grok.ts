import {
  asList,
  asObject,
  asText,
  firstTime,
  LeftOut,
  MAX_MESSAGES,
  modelFrom,
  Skip,
  type ImportedConversation,
  type JsonObject,
} from './imported.ts'
import { errorText, type MessageDraft } from './message-draft.ts'
import { treeMessages, type TreeNode } from './trees.ts'

/** @returns whether this is a chat of Grok's export, whose messages are named responses */
export function isGrok({ responses }: JsonObject): boolean {
  return asList(responses).some((each) => asText(responseOf(each)?.['sender']) !== '')
}

/** A chat of `prod-grok-backend.json`: a tree of responses, each in an object of its own. */
export function fromGrok(value: JsonObject): ImportedConversation {
  const about = asObject(value['conversation']) ?? value
  const title = asText(about['title'])
  const leftOut = new LeftOut()
  const nodes = new Map<string, TreeNode>()
  let before: string | null = null
  for (const each of asList(value['responses'])) {
    const response = responseOf(each)
    if (!response) {
      leftOut.add('other')
      continue
    }
    const key: string = asText(response['_id']) || asText(response['id']) || `response ${String(nodes.size)}`
    if (nodes.has(key)) leftOut.add('other')
    nodes.set(key, {
      parent: asText(response['parent_response_id']) || before,
      message: { ...response, create_time: timeOf(response['create_time']) },
    })
    before = key
    if (nodes.size > MAX_MESSAGES) throw new Skip('too-large', title || null)
  }
  const messages = treeMessages(nodes, leftOut, (message, draft) => {
    addResponse(draft, message, leftOut)
    // A reply may have the name of its model as its sender.
    return asText(message['sender']).toLowerCase() === 'human' ? 'user' : 'assistant'
  })
  return {
    title,
    model: modelFrom(messages.findLast(({ model }) => model !== undefined)?.model),
    createdAt: firstTime(about['create_time']),
    updatedAt: firstTime(about['modify_time']),
    messages,
    leftOut,
  }
}

function addResponse(draft: MessageDraft, response: JsonObject, leftOut: LeftOut): void {
  draft.addReasoning(asText(response['thinking_trace']))
  for (const each of asList(response['agent_thinking_traces']))
    draft.addReasoning(asText(asObject(each)?.['thinking_trace']))
  const text = withoutMarks(asText(response['message']), leftOut)
  draft.addText(text === '' ? asText(response['query']) : text)
  draft.addText(errorText(response['error']))
  const cited = asList(response['cited_web_search_results'])
  for (const each of cited.length > 0 ? cited : asList(response['web_search_results'])) {
    const { url, title, preview } = asObject(each) ?? {}
    draft.addCitation(asText(url), asText(title), asText(preview))
  }
  leftOut.add('files', asList(response['file_attachments']).length)
  leftOut.add('images', asList(response['generated_image_urls']).length)
  leftOut.add('citations', asList(response['xpost_ids']).length)
  leftOut.add('tools', asList(response['steps']).length)
}

const MARK = '<grok:render'
const MARK_END = '</grok:render>'

/** Marks of sources and cards within the text. Their sources are in the list of citations. */
function withoutMarks(text: string, leftOut: LeftOut): string {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, from)) {
    const end = text.indexOf(MARK_END, at)
    if (end === -1) break
    if (!text.slice(at, end).includes('citation')) leftOut.add('other')
    pieces.push(text.slice(from, at))
    from = end + MARK_END.length
  }
  return [...pieces, text.slice(from)].join('').trim()
}

function responseOf(value: unknown): JsonObject | null {
  const object = asObject(value)
  return asObject(object?.['response']) ?? object
}

/** A time as it is, or in MongoDB's extended JSON: `{"$date": {"$numberLong": "…"}}`. In Unix ms. */
function timeOf(value: unknown): unknown {
  const date = asObject(value)?.['$date']
  const number = Number(asText(asObject(date)?.['$numberLong']) || NaN)
  return Number.isNaN(number) ? (date ?? value) : number
}
