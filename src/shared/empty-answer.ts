import type { ToolCall, UnshownPart } from './answer-parts.ts'

/** Whether an answer is complete without any content. It may have reasoning. */
export function isEmptyAnswer({
  state,
  text,
  toolCalls = [],
  unshown = [],
}: {
  readonly state: string
  readonly text: string
  readonly toolCalls?: readonly ToolCall[] | undefined
  readonly unshown?: readonly UnshownPart[] | undefined
}): boolean {
  return state === 'complete' && text.trim() === '' && toolCalls.length === 0 && unshown.length === 0
}
