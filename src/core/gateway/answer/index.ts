export { CallReader, type CallEvent } from './call-reader.ts'
export { JsonEnd } from './json-end.ts'
export {
  AnswerStreamReader,
  MAX_ANSWER_BYTES,
  readWholeAnswer,
  type AnswerEvent,
  type AnswerPiece,
  type AnswerReaderOptions,
  type WholeAnswer,
} from './reader.ts'
export type { AnswerPart } from './parts.ts'
export { readReasoningToken, ReasoningReader, reasoningToken, type Reasoning } from './reasoning.ts'
export { webAddress, type Source } from './source.ts'
export { readStep, type CallDelta, type ChatStep } from './step.ts'
export { modelName, type AnsweredModel } from './repair.ts'
export { readHeaderCost, readStatedCost, readUsage } from './usage.ts'
