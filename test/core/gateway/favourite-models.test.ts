import { expect, it } from 'vitest'
import { favouriteModels, setFavouriteModel } from '../../../src/core/gateway/favourite-models.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { startWorld } from '../../world.ts'

const settings = () => createStore({ folder: null, key: new Uint8Array(32), now: Date.now }).settings

it('the one chosen last stands first, each once, and none is forgotten but the oldest of too many', () => {
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

it('what is not of the known form is none, and can be written anew', () => {
  const savedSettings = settings()
  for (const odd of ['', 'x', '{}', '[7]', `["${'x'.repeat(201)}"]`]) {
    savedSettings.set('favourite-models', odd)
    expect(favouriteModels(savedSettings)).toEqual([])
  }
  expect(setFavouriteModel(savedSettings, 'a', true)).toEqual(['a'])
})

it('is asked for over the door', async () => {
  await using world = await startWorld()
  expect(await world.call('models/setFavourite', { modelId: 'private/x', favourite: true })).toEqual([
    'private/x',
  ])
  expect(await world.call('models/favourites')).toEqual(['private/x'])
})
