import type { Model } from '../shared/model.ts'
import { SottoError } from '../shared/errors.ts'
import { AnswerContent } from './conversations/answer/answer-content.ts'
import type { Relay } from './gateway/relay/index.ts'
import { budgetOwnerOf, withinProjectBudget } from './projects/project-budget.ts'
import type { WebSearch } from './tools/index.ts'

const RESULTS = 5
const MOST_TOKENS = 800

/**
 * Searches with the service's web plugin (specification, Chat), in a request of its own: it contains only the query,
 * and nothing of the conversation. A private model can't search, so the least expensive other model reads the pages.
 */
export function createWebSearch({ chat, models }: Pick<Relay, 'chat' | 'models'>): WebSearch {
  return {
    async search(query, { signal, projectId: chatProject, localKeyId }) {
      const projectId = localKeyId === undefined ? chatProject : undefined
      const model = cheapest(await models.all())
      if (!model) throw new SottoError('model/unknown')
      const reply = await withinProjectBudget(projectId, () =>
        chat({
          body: {
            model: model.id,
            messages: [{ role: 'user', content: query }],
            plugins: [{ id: 'web', max_results: RESULTS }],
            max_tokens: MOST_TOKENS,
            stream: true,
          },
          // The query of a key counts in its budget, and its receipt is among the key's.
          caller: localKeyId === undefined ? { kind: 'window' } : { kind: 'proxy', localKeyId },
          ...(projectId !== undefined && { budgetOwner: budgetOwnerOf(projectId) }),
          signal,
        }),
      )
      const content = new AnswerContent()
      let text = ''
      let failure: SottoError | undefined
      try {
        for await (const { events } of reply.body)
          for (const step of events) if (step !== 'waiting') text += content.add(step).text
      } catch (thrown) {
        if (!(thrown instanceof SottoError) || thrown.code === 'request/canceled') throw thrown
        failure = thrown
      }
      const pages = (content.parts().citations ?? []).map(({ url, title }) => ({
        url,
        ...(title !== undefined && { title }),
      }))
      return { text, pages, failure, receiptId: reply.receiptId }
    },
  }
}

/** Only models that write text and state all prices of a search. */
function cheapest(listed: readonly Model[]): Model | undefined {
  const priced = listed.flatMap((model) => {
    const { inputPerMillion, outputPerMillion, webSearch, outputModalities = ['text'] } = model
    if (model.private || !outputModalities.includes('text')) return []
    if (inputPerMillion === undefined || outputPerMillion === undefined || webSearch === undefined) return []
    const tokens = BigInt(inputPerMillion) + BigInt(outputPerMillion)
    return [{ model, price: BigInt(webSearch) * 1_000n + tokens }]
  })
  return priced.toSorted((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0))[0]?.model
}
