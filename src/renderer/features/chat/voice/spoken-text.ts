import { withoutTrailing } from '../../../../shared/without-trailing.ts'
import { splitThinking } from '../thinking.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const TABLE_RULE = /^(?: *\|)?(?: *:?-+:? *\|)+(?: *:?-+:?)? *$/
const HEADING = /^ {0,3}#{1,6} +/
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:\s/
const ENDED = /[.!?…:;,。！？：；، ؟]$/u

/**
 * The spoken form of a reply: its text without Markdown syntax. Code blocks are included only on request, and an
 * address is reduced to its host. Separate lines end like sentences, so that speech pauses. Takes linear time.
 */
export function spokenText(markdown: string, withCode: boolean): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of splitThinking(markdown).text.split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      else if (withCode) lines.push(line)
    } else if (mark !== undefined) fence = mark
    else lines.push(spokenLine(line))
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function spokenLine(line: string): string {
  if (RULE.test(line) || TABLE_RULE.test(line) || DEFINITION.test(line)) return ''
  const bare = line.replace(/^(?: {0,3}> ?)+/, '')
  const heading = HEADING.exec(bare)?.[0]
  const item = /^ *(?:[-*+] |(\d{1,9}[.)]) )(?:\[[ xX]\] )?(.*)$/.exec(bare)
  const row = /^ *\|(.*)\| *$/.exec(bare)
  if (heading !== undefined) return ended(spokenInline(withoutClosing(bare.slice(heading.length))))
  if (row)
    return ended(
      (row[1] ?? '')
        .split('|')
        .map((cell) => spokenInline(cell.trim()))
        .filter(Boolean)
        .join(', '),
    )
  if (item) return ended(`${item[1] === undefined ? '' : `${item[1]} `}${spokenInline(item[2] ?? '')}`)
  return spokenInline(bare)
}

/** A heading may have number signs at its end as well. */
function withoutClosing(heading: string): string {
  return withoutTrailing('#', heading.trimEnd()).trimEnd()
}

function ended(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || ENDED.test(trimmed) ? trimmed : `${trimmed}.`
}

function spokenInline(text: string): string {
  return text
    .replace(/\[\^[^\]\s]{1,100}\]/g, '')
    .replace(/!?\[([^[\]]{0,1000})\](?:\([^()\s]{0,2000}(?:\s[^()]{0,300})?\)|\[[^\]]{0,200}\])/g, '$1')
    .replace(/<(?:https?:\/\/)([^\s<>/]{1,253})[^<>\s]{0,2000}>/gi, '$1')
    .replace(/\bhttps?:\/\/([^\s/<>()]{1,253})[^\s<>()]{0,2000}/gi, '$1')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(/`{1,8}([^`]{1,2000})`{1,8}/g, '$1')
    .replace(/(?<!\\)\*{1,3}([^*\s](?:[^*]{0,2000}[^*\s])?)\*{1,3}/g, '$1')
    .replace(/(^|[^\p{L}\p{N}_])_{1,3}([^_\s](?:[^_]{0,2000}[^_\s])?)_{1,3}(?![\p{L}\p{N}_])/gu, '$1$2')
    .replace(/~~([^~]{1,2000})~~/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
}
