export { chatCost, estimateChat } from './chat.ts'
export type { ChatEstimate, ChatSize } from './chat.ts'
export { parseUsd } from './usd.ts'
