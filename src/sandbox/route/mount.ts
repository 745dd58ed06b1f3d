import type { FastifyInstance, FastifyReply } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import type { Arrivals } from '../arrival.ts'
import { bodyOf, send } from '../routes/http.ts'
import type { ServiceContext } from '../service-context.ts'
import { faultAnswer, type RouteFault, type RouteFaults } from './faults.ts'
import type { Answer } from '../refusal.ts'
import type { Arrived, Route, RouteFacts } from './route.ts'

/** `POST /v1/images/generations`: the name of a route for faults and in the description. */
export function routeName({ method, path }: RouteFacts): string {
  return `${method} ${path}`
}

/** The paths of a route: with and without the version prefix if it has both. */
export function pathsOf({ path, bothForms = false }: RouteFacts): string[] {
  if (!bothForms) return [path]
  return path.startsWith('/v1/') ? [path, path.slice(3)] : [path, `/v1${path}`]
}

/** Puts the routes on the server. */
export function mountRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  context: ServiceContext,
  arrivals: Arrivals,
  faults: RouteFaults,
): void {
  for (const route of routes) {
    const { facts } = route
    const name = routeName(facts)
    for (const path of pathsOf(facts)) {
      app.route({
        method: facts.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: async (http, reply) => {
          const { signal } = arrivals.of(http.raw)
          const fault = faults.of(name)
          if (fault) await latency(fault, signal)
          const instead = fault && faultAnswer(fault)
          if (instead) return send(reply, instead)
          const arrived: Arrived = { http, body: bodyOf(http), now: context.now(), signal }
          const answer = await route.handle(context, arrived)
          return fault?.cut === true || fault?.stalled === true
            ? breakOff(reply, answer, fault)
            : send(reply, answer)
        },
      })
    }
  }
}

/** Waits for the delay of the route's fault. @throws AbortError if the client disconnects */
export async function latency(fault: RouteFault, signal: AbortSignal): Promise<void> {
  if (fault.latencyMs) await pause(fault.latencyMs, undefined, { signal })
}

/** Half of an answer that was carried out and charged. Then the connection ends, or stays open for as long as the caller waits. */
function breakOff(reply: FastifyReply, answer: Answer, { cut }: RouteFault): FastifyReply {
  reply.hijack()
  if (typeof answer !== 'function')
    reply.raw
      .writeHead(answer.status, { 'content-type': answer.contentType })
      .write(Buffer.from(answer.body).subarray(0, Math.floor(answer.body.length / 2)))
  if (cut) reply.raw.destroy()
  return reply
}
