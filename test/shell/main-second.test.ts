import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBuilt, launch } from './launch.ts'

describe.skipIf(!isBuilt())('the built main, as a second instance', () => {
  it('leaves at once and starts nothing', async () => {
    const { electron, dataDir } = await launch({ world: { firstInstance: false } })
    expect(electron.callsOf('app.quit').length).toBe(1)
    expect(electron.callsOf('app.whenReady')).toEqual([])
    expect(existsSync(join(dataDir, 'owner.lock'))).toBe(false)
  })
})
