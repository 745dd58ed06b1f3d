export { chatCost, estimateChat } from './chat.ts'
export type { ChatEstimate, ChatSize } from './chat.ts'
