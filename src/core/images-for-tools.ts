import { SottoError } from '../shared/errors.ts'
import { hasEnded } from '../shared/job-state.ts'
import type { Model } from '../shared/model.ts'
import type { Relay } from './gateway/relay/index.ts'
import type { Studio } from './jobs/index.ts'
import { createWebSearch } from './search-for-tools.ts'
import type { ImageMaker, ImageOffer, WebSearch } from './tools/index.ts'

/** Models that are compared by price. */
const MOST_MODELS = 50

/** Generates images for tools as jobs of Studio, with the model of the lowest price, paid from the balance. */
function createImageMaker(
  { listed }: Pick<Relay, 'listed'>,
  studio: Pick<Studio, 'estimate' | 'start' | 'jobs'>,
): ImageMaker {
  return {
    async offer(prompt) {
      const offers: ImageOffer[] = []
      const models = (await listed(['image'])).filter(generatesFromText)
      for (const { id: model } of models.slice(0, MOST_MODELS)) {
        const cost = await studio.estimate({ kind: 'image', model, prompt }).then(
          (estimate) => estimate.cost,
          // A model that needs an image, for example, has no price for a prompt.
          () => null,
        )
        if (cost) offers.push({ model, most: cost.most })
      }
      return offers.toSorted((a, b) => (BigInt(a.most) < BigInt(b.most) ? -1 : 1))[0] ?? null
    },
    async make({ prompt, conversationId, model, most }, signal) {
      const changes = studio.jobs.changes(signal)
      try {
        // Subscribes before the job starts, so that its end isn't missed.
        await changes.next()
        // The source is noted, so that Studio asks again before it repeats the prompt of a private chat.
        const { id } = await studio.start({
          ask: { kind: 'image', model, prompt, from: { conversationId } },
          pay: 'balance',
          most,
          caller: { kind: 'window' },
          signal,
        })
        while (!hasEnded(studio.jobs.of(id).state)) if ((await changes.next()).done) break
        if (signal.aborted) throw new SottoError('request/canceled')
        return studio.jobs.of(id).state === 'done'
      } finally {
        await changes.return()
      }
    },
  }
}

/** If the listing doesn't report a model's inputs, its name decides whether it only changes images. */
function generatesFromText({ id, name, inputModalities = [] }: Model): boolean {
  if (/upscal|enhanc|super-?res|background|rembg|cut-?out/i.test(`${id} ${name}`)) return false
  return inputModalities.length === 0 || inputModalities.includes('text')
}

/** What tools use of the service. A profile without a service has none of it. */
export function createToolServices(
  relay: Pick<Relay, 'chat' | 'listed' | 'models'>,
  studio: Pick<Studio, 'estimate' | 'start' | 'jobs'>,
): { readonly webSearch: WebSearch; readonly images: ImageMaker } {
  return { webSearch: createWebSearch(relay), images: createImageMaker(relay, studio) }
}
