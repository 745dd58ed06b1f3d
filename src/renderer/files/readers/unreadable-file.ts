import type { ErrorCode } from '../../../shared/error-codes.ts'
import { MAX_TEXT_BYTES } from '../../../shared/attachment-limits.ts'
import type { LocalizedText } from '../../../shared/localized-text.ts'

/** Why a file can't be read. It crosses from the worker to the window as its two members. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly code: ErrorCode
  readonly detail: LocalizedText

  constructor(code: ErrorCode, detail: LocalizedText = []) {
    super(code)
    this.code = code
    this.detail = detail
  }
}

/** Collects text up to the limit of an attachment, so that no document grows beyond it in memory. */
export class BoundedText {
  #parts: string[] = []
  #length = 0

  /** @throws {UnreadableFile} attachment/too-large */
  add(text: string): void {
    this.#length += text.length
    if (this.#length > MAX_TEXT_BYTES) throw new UnreadableFile('attachment/too-large')
    this.#parts.push(text)
  }

  /** With at most one empty line between paragraphs. */
  toString(): string {
    return this.#parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }
}
