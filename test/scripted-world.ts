import { afterAll, beforeAll } from 'vitest'
import { sandboxFolder } from './sandbox/cached-roots.ts'
import { startScriptedService, type Script, type ScriptedService } from './scripted-service.ts'
import { startWorld, type World } from './world.ts'

export const OPEN = 'scripted/open'
export const PRIVATE = 'private/scripted'

/** A core whose service answers as a test sets it, for one file or one `describe`. */
export interface ScriptedWorld {
  script: Script
  service: ScriptedService
  world: World
}

export function scriptedWorld(): ScriptedWorld {
  const state = { script: () => undefined } as unknown as ScriptedWorld
  beforeAll(async () => {
    state.service = await startScriptedService({
      folder: await sandboxFolder(),
      models: [OPEN, PRIVATE],
      script: (request, answer) => state.script(request, answer),
    })
    state.world = await startWorld({ profile: (profile) => ({ ...profile, baseUrl: state.service.baseUrl }) })
  })
  afterAll(async () => {
    await state.world[Symbol.asyncDispose]()
    await state.service.close()
  })
  return state
}
