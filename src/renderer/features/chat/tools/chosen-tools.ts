import { readAnswer, refreshAnswers, writeAnswer, type Question } from '../../../data/use-answer.ts'
import type { Scope } from '../../../data/service-scope.tsx'
import { api } from '../../../ui/api.ts'
import { useChat } from '../chat-store.ts'

interface ChosenTools {
  readonly sources: readonly string[]
}

/** Asks for the tools and servers that the model of a chat may call. */
export function chosenTools(conversationId: string): Question<ChosenTools> {
  return {
    key: ['tools.chosen', conversationId],
    ask: (context) => api.tools.chosen({ conversationId }, context),
  }
}

/**
 * Adds a tool or a server to those of a chat, or removes it. The cache has the choice before the core has saved it, so
 * that the next one starts from it. Throws what the core throws; the cache then has the core's choice again.
 * @param conversationId absent for a chat that doesn't exist yet
 */
export async function turnTool(scope: Scope, conversationId: string | undefined, id: string): Promise<void> {
  const turned = (sources: readonly string[]) =>
    sources.includes(id) ? sources.filter((source) => source !== id) : [...sources, id]
  if (conversationId === undefined) {
    useChat.setState(({ newTools }) => ({ newTools: turned(newTools) }))
    return
  }
  const question = chosenTools(conversationId)
  const sources = turned(readAnswer(scope, question)?.sources ?? [])
  writeAnswer(scope, question, () => ({ sources }))
  try {
    await api.tools.choose({ conversationId, sources: [...sources] })
  } catch (thrown) {
    await refreshAnswers(scope, question.key)
    throw thrown
  }
}
