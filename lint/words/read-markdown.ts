import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLACE, type Text } from './text.ts'

const FENCE = /^\s*(?:```|~~~)/
const HEADING = /^#{1,6}\s+/
const LIST_ITEM = /^\s*(?:[-*+]|\d+\.)\s+/
const TABLE_RULE = /^[\s|:-]+$/
const CODE = /(`+)[^`]+\1/g
const LINK = /!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g
const ADDRESS = /<?\bhttps?:\/\/[^\s>)]+>?/g
const COMMENT_OR_TAG = /<!--.*?-->|<\/?[a-z][^>]*>/g
const EMPHASIS = /\*\*|\*(?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu

/**
 * Reads headings, paragraphs, list items and table cells of a Markdown file, without code. Code spans and addresses become places.
 * @param file relative to `root`
 */
export function readMarkdown(root: string, file: string): readonly Text[] {
  return parseMarkdown(readFileSync(join(root, file), 'utf8'), file)
}

/** Reads only the newest section of a changelog: older ones stay as they were published. */
export function readChangelog(root: string, file: string): readonly Text[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const [, second = lines.length] = lines.flatMap((line, at) => (line.startsWith('## ') ? [at] : []))
  return parseMarkdown(lines.slice(0, second).join('\n'), file)
}

/** @param file names the place of each text */
export function parseMarkdown(markdown: string, file: string): readonly Text[] {
  const found: Text[] = []
  let block: { line: number; text: string } | undefined
  let fenced = false
  const add = (line: number, text: string, role: Text['role'] = 'text'): void => {
    const plain = toPlain(text)
    if (/\p{L}/u.test(plain)) found.push({ place: `${file}:${line}`, text: plain, role })
  }
  const finish = (): void => {
    if (block) add(block.line, block.text)
    block = undefined
  }
  for (const [at, written] of markdown.split('\n').entries()) {
    const line = written.replace(/^\s*>\s?/, '')
    const isFence = FENCE.test(line)
    if (fenced || isFence || line.trim() === '') {
      finish()
      fenced = fenced !== isFence
    } else if (HEADING.test(line)) {
      finish()
      // The title of a decision states it.
      add(
        at + 1,
        line.replace(HEADING, ''),
        line.startsWith('# ') && file.startsWith('docs/decisions/') ? 'text' : 'heading',
      )
    } else if (line.trimStart().startsWith('|')) {
      finish()
      if (!TABLE_RULE.test(line)) for (const cell of line.split(/(?<!\\)\|/)) add(at + 1, cell)
    } else if (LIST_ITEM.test(line)) {
      finish()
      block = { line: at + 1, text: line.replace(LIST_ITEM, '') }
    } else {
      block = { line: block?.line ?? at + 1, text: block ? `${block.text} ${line.trim()}` : line.trim() }
    }
  }
  finish()
  return found
}

function toPlain(text: string): string {
  return text
    .replaceAll(CODE, PLACE)
    .replaceAll(LINK, '$1')
    .replaceAll(ADDRESS, PLACE)
    .replaceAll(COMMENT_OR_TAG, '')
    .replaceAll(EMPHASIS, '')
    .replaceAll(/[{}]/g, '')
    .trim()
}
