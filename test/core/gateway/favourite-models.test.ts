import { expect, it } from 'vitest'
import { favouriteModels, setFavouriteModel } from '../../../src/core/gateway/favourite-models.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { startWorld } from '../../world.ts'

const settings = () => createStore({ folder: null, key: new Uint8Array(32), now: Date.now }).settings

it('lists each favorite once, the newest first, and drops only the oldest beyond the limit', () => {
  const savedSettings = settings()
  expect(favouriteModels(savedSettings)).toEqual([])
  for (const id of ['a', 'b', 'a']) setFavouriteModel(savedSettings, id, true)
  expect(favouriteModels(savedSettings)).toEqual(['a', 'b'])
  expect(setFavouriteModel(savedSettings, 'a', false)).toEqual(['b'])
  expect(setFavouriteModel(savedSettings, 'never', false)).toEqual(['b'])
  for (let at = 0; at < 600; at++) setFavouriteModel(savedSettings, `m${String(at)}`, true)
  expect(favouriteModels(savedSettings)).toHaveLength(500)
  expect(favouriteModels(savedSettings)[0]).toBe('m599')
})

it('ignores a malformed saved list, and replaces it', () => {
  const savedSettings = settings()
  for (const odd of ['', 'x', '{}', '[7]', `["${'x'.repeat(201)}"]`]) {
    savedSettings.set('favourite-models', odd)
    expect(favouriteModels(savedSettings)).toEqual([])
  }
  expect(setFavouriteModel(savedSettings, 'a', true)).toEqual(['a'])
})

it('is set and listed through the contract', async () => {
  await using world = await startWorld()
  expect(await world.call('models/setFavourite', { modelId: 'private/x', favourite: true })).toEqual([
    'private/x',
  ])
  expect(await world.call('models/favourites')).toEqual(['private/x'])
})
