export { countChatTokens } from './chat.ts'
export { countTextTokens } from './text.ts'
