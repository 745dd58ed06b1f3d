import type { VoicePrices } from '../../shared/contract/sotto-contract.ts'
import type { Model } from '../../shared/model.ts'
import { api } from '../ui/api.ts'
import { useAnswer, type Answer, type Question } from './use-answer.ts'

/** All models of the service. */
export function useModels(): Answer<readonly Model[]> {
  return useAnswer<readonly Model[]>({
    key: ['models'],
    ask: (context) => api.models.list(undefined, context),
  })
}

/** The models that speak and transcribe, with their voices and prices. */
const voicePricesQuestion: Question<VoicePrices> = {
  key: ['voice-prices'],
  ask: (context) => api.voice.prices(undefined, context),
}

/** Loads them once for each service. */
export function useVoicePrices(): Answer<VoicePrices> {
  return useAnswer(voicePricesQuestion, { once: true })
}

/** The API keys of the active account, in the order of the service. */
export function keysQuestion(
  includeRevoked: boolean,
): Question<Awaited<ReturnType<typeof api.serviceKeys.list>>> {
  return {
    key: ['keys', includeRevoked],
    ask: (context) => api.serviceKeys.list({ includeRevoked }, context),
  }
}

/** The models of a type that the service can read. Jobs aren't sealed, so they can't use private models. */
export function useJobModels(type: 'image' | 'video' | 'embedding'): Answer<readonly Model[]> {
  return useAnswer<readonly Model[]>({
    key: ['job-models', type],
    ask: async (context) =>
      (await api.studio.models({ types: [type] }, context)).filter(({ private: sealed }) => !sealed),
  })
}
