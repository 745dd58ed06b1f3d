import { loadRoots, type Roots } from '../../../src/sandbox/world/roots.ts'
import {
  createMintingWorld,
  type MintingWorld,
  type MintingWorldOptions,
} from '../../../src/sandbox/world/v3/document-desk.ts'
import { sandboxFolder } from '../cached-roots.ts'

let roots: Promise<Roots> | undefined

/** A world that mints documents, on roots that all tests of a checkout share. `world.roots.trust` verifies what it signs. */
export async function createTestWorld(
  options: Omit<MintingWorldOptions, 'roots'> = {},
): Promise<MintingWorld> {
  roots ??= sandboxFolder().then((folder) => loadRoots(folder, () => true))
  return createMintingWorld({ ...options, roots: await roots })
}
