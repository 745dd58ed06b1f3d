import { afterAll, beforeAll } from 'vitest'
import { sandboxFolder } from './sandbox/kept-roots.ts'
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
  const held = { script: () => undefined } as unknown as ScriptedWorld
  beforeAll(async () => {
    held.service = await startScriptedService({
      folder: await sandboxFolder(),
      models: [OPEN, PRIVATE],
      script: (request, answer) => held.script(request, answer),
    })
    held.world = await startWorld({ profile: (profile) => ({ ...profile, baseUrl: held.service.baseUrl }) })
  })
  afterAll(async () => {
    await held.world[Symbol.asyncDispose]()
    await held.service.close()
  })
  return held
}
