import { expect, it } from 'vitest'
import { favouriteModels, setFavouriteModel } from '../../../src/core/gateway/favourite-models.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { startWorld } from '../../world.ts'

const settings = () => createStore({ folder: null, key: new Uint8Array(32), now: Date.now }).settings

it('the one chosen last stands first, each once, and none is forgotten but the oldest of too many', () => {
  const kept = settings()
  expect(favouriteModels(kept)).toEqual([])
  for (const id of ['a', 'b', 'a']) setFavouriteModel(kept, id, true)
  expect(favouriteModels(kept)).toEqual(['a', 'b'])
  expect(setFavouriteModel(kept, 'a', false)).toEqual(['b'])
  expect(setFavouriteModel(kept, 'never', false)).toEqual(['b'])
  for (let at = 0; at < 600; at++) setFavouriteModel(kept, `m${String(at)}`, true)
  expect(favouriteModels(kept)).toHaveLength(500)
  expect(favouriteModels(kept)[0]).toBe('m599')
})

it('what is not of the known form is none, and can be written anew', () => {
  const kept = settings()
  for (const odd of ['', 'x', '{}', '[7]', `["${'x'.repeat(201)}"]`]) {
    kept.set('favourite-models', odd)
    expect(favouriteModels(kept)).toEqual([])
  }
  expect(setFavouriteModel(kept, 'a', true)).toEqual(['a'])
})

it('is asked for over the door', async () => {
  await using world = await startWorld()
  expect(await world.call('models/setFavourite', { modelId: 'private/x', favourite: true })).toEqual([
    'private/x',
  ])
  expect(await world.call('models/favourites')).toEqual(['private/x'])
})
