import { registerAccount } from './account-route.ts'
import { registerAttestation } from './attestation-route.ts'
import { registerAudio } from './audio-route.ts'
import { registerCompletions } from './completions-route.ts'
import { registerData } from './data-route.ts'
import { registerEmbeddings } from './embeddings-route.ts'
import { registerHealth } from './health-route.ts'
import { registerImages } from './images-route.ts'
import { registerMessages } from './messages-route.ts'
import { registerMetrics } from './metrics-route.ts'
import { registerModels } from './models-route.ts'
import { registerOllama } from './ollama-route.ts'
import { registerReadiness } from './readiness-route.ts'
import { registerResponses } from './responses-route.ts'
import { registerVideos } from './videos-route.ts'
import type { RegisterRoutes } from './route-context.ts'

/** Every path that the proxy answers, except chat completions. Other paths are refused. */
export const routes: readonly RegisterRoutes[] = [
  registerAccount,
  registerAttestation,
  registerAudio,
  registerCompletions,
  registerData,
  registerEmbeddings,
  registerHealth,
  registerReadiness,
  registerImages,
  registerMessages,
  registerMetrics,
  registerModels,
  registerOllama,
  registerResponses,
  registerVideos,
]
