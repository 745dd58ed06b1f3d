import { markdownOfHtml } from '../../../../shared/markup/html-to-markdown.ts'
import { MarkupTooDeep } from '../../../../shared/markup/scan-markup.ts'
import {
  asList,
  asObject,
  asText,
  firstTime,
  LeftOut,
  type ImportedConversation,
  type JsonObject,
} from './imported.ts'
import { fromMessages } from './message-lists.ts'

/** The export doesn't name the chats of its prompts. A pause of this length begins another one. */
const PAUSE_MS = 30 * 60_000

/** In an English account, the title begins with what a person did. */
const PROMPTED = /^(?:Prompted with: |Asked (?:Gemini|Bard): |(?:Prompted|Asked|Said|Branched|Answered)\s)/
/** What a person did apart from prompts. Such a record has no text of a chat. */
const OTHER_ACT =
  /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Searched|Edited|Pinned|Renamed|Exported|Updated)\s/
const ATTACHED = /\s?Attached (\d{1,3}) files?\.?$/i

interface Activity {
  readonly at: number | null
  readonly prompt: string
  readonly reply: string
  readonly record: JsonObject
}

/** @returns whether this is a record of Gemini in Google Takeout's "My Activity" */
export function isGeminiActivity({ header, products, title, time }: JsonObject): boolean {
  if (typeof title !== 'string' || typeof time !== 'string') return false
  return [header, ...asList(products)].some((name) => /gemini|bard/i.test(asText(name)))
}

/**
 * The chats of Google Takeout's records of prompts with their replies. The records name no chat, so those that follow each other within
 * half an hour are one.
 */
export function fromGeminiActivity(records: readonly JsonObject[]): ImportedConversation[] {
  const leftOut = new LeftOut()
  const activities = records
    .map((record) => readActivity(record, leftOut))
    .filter((activity) => activity !== null)
    // The newest record comes first.
    .toReversed()
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  const groups: Activity[][] = []
  for (const activity of activities) {
    const group = groups.at(-1)
    const before = group?.at(-1)?.at ?? null
    const follows = before !== null && activity.at !== null && activity.at - before <= PAUSE_MS
    if (group && follows) group.push(activity)
    else groups.push([activity])
  }
  const chats = groups.map(chatOf)
  // Records that aren't prompts are counted with the first chat.
  for (const [kind, count] of leftOut.counts) chats[0]?.leftOut.add(kind, count)
  return chats
}

function readActivity(record: JsonObject, leftOut: LeftOut): Activity | null {
  const title = asText(record['title'])
  const reply = asList(record['safeHtmlItem'])
    .map((item) => markdownOf(asText(asObject(item)?.['html']), leftOut))
    .filter((text) => text !== '')
    .join('\n\n')
  // Without an English verb, only a record with a reply is known to be a prompt.
  const isPrompt = PROMPTED.test(title) || (reply !== '' && !OTHER_ACT.test(title))
  if (!isPrompt) {
    leftOut.add('other')
    return null
  }
  return {
    at: firstTime(record['time']),
    prompt: title.replace(PROMPTED, '').replace(ATTACHED, '').trim(),
    reply,
    record,
  }
}

/** HTML that no program writes is left out. */
function markdownOf(html: string, leftOut: LeftOut): string {
  try {
    return markdownOfHtml(html)
  } catch (thrown) {
    if (!(thrown instanceof MarkupTooDeep)) throw thrown
    leftOut.add('other')
    return ''
  }
}

function chatOf(activities: readonly Activity[]): ImportedConversation {
  const messages = activities.flatMap(({ at, prompt, reply }) => [
    { role: 'user', content: prompt, created_at: at },
    ...(reply === '' ? [] : [{ role: 'assistant', content: reply, created_at: at }]),
  ])
  const chat = fromMessages(messages, { title: '' })
  for (const { record } of activities) {
    const files = Number(
      ATTACHED.exec(asText(record['title']))?.[1] ?? asList(record['attachedFiles']).length,
    )
    chat.leftOut.add('files', files)
    chat.leftOut.add('images', record['imageFile'] === undefined ? 0 : 1)
    chat.leftOut.add('recordings', asList(record['audioFiles']).length)
  }
  return chat
}
