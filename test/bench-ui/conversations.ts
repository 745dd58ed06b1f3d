import type { ConversationName } from './subject.ts'
import { CHARS_PER_TOKEN, turns, type Turn } from './texts.ts'

const MANY_MESSAGES = 10_000
const LONG_TOKENS = 300_000
/** The length of an answer in each conversation. */
const CHARS_IN_MANY = 500
const CHARS_IN_LONG = 8_000

/** The conversations that every subject shows. */
export function conversations(scale: number): Readonly<Record<ConversationName, readonly Turn[]>> {
  return {
    many: turns('many', Math.ceil((MANY_MESSAGES / 2) * scale), CHARS_IN_MANY),
    long: turns('long', Math.ceil(((LONG_TOKENS * CHARS_PER_TOKEN) / CHARS_IN_LONG) * scale), CHARS_IN_LONG),
    small: turns('small', 1, 100),
  }
}
