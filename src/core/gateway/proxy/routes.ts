import { registerAccount } from './account-route.ts'
import { registerAttestation } from './attestation-route.ts'
import { registerAudio } from './audio-route.ts'
import { registerData } from './data-route.ts'
import { registerHealth } from './health-route.ts'
import { registerImages } from './images-route.ts'
import { registerMessages } from './messages-route.ts'
import { registerMetrics } from './metrics-route.ts'
import { registerModels } from './models-route.ts'
import { registerOllama } from './ollama-route.ts'
import { registerReadiness } from './readiness-route.ts'
import { registerResponses } from './responses-route.ts'
import { registerVideos } from './videos-route.ts'
import { PREFIXES, type RegisterRoutes, type RouteContext } from './route-context.ts'
import type { FastifyInstance } from 'fastify'
import { translateCompletions } from '../dialect/completions/index.ts'
import { serveTranslated } from './dialect-route.ts'
import { serveJson } from './plaintext-answer.ts'

/** Registers `POST /v1/embeddings` (specification, Embeddings). */
function registerEmbeddings(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.post(`${prefix}/embeddings`, (request, reply) =>
      serveJson(context, request, reply, (body) => ({ ask: { endpoint: 'embeddings', body } })),
    )
  }
}

const config = { dialect: 'openai' } as const

/** Registers OpenAI's `POST /v1/completions` (legacy), based on chat completions. */
function registerCompletions(server: FastifyInstance, context: RouteContext): void {
  for (const prefix of PREFIXES)
    server.post(`${prefix}/completions`, { config }, (request, reply) =>
      serveTranslated(context, request, reply, translateCompletions),
    )
}

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
