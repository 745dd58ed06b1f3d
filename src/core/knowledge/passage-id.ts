import type { KnowledgeDocument, Passage } from '../../shared/knowledge.ts'
import type { StoredPassage } from '../storage/index.ts'

interface PassageAddress {
  readonly documentId: string
  readonly number: number
}

const ID = /^(?<documentId>[\w-]{1,40})\/(?<number>\d{1,6})$/

/** The id of a passage: its document and its number there. */
function passageId({ documentId, number }: PassageAddress): string {
  return `${documentId}/${String(number)}`
}

/** Returns null if the text isn't the id of a passage. */
export function parsePassageId(id: string): PassageAddress | null {
  const { documentId, number } = ID.exec(id)?.groups ?? {}
  if (documentId === undefined || number === undefined) return null
  const address = { documentId, number: Number(number) }
  // Each passage has only one id, so 007 isn't one.
  return passageId(address) === id ? address : null
}

/** A passage with the id and the name of its document. */
export function toPassage(
  { id: documentId, name: document }: Pick<KnowledgeDocument, 'id' | 'name'>,
  { number, place, text, tokens }: StoredPassage,
): Passage {
  return { id: passageId({ documentId, number }), documentId, document, place, text, tokens }
}
