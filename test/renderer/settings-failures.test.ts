// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

const view = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { vault: { view: () => view() } } }))

const { VaultSection } = await import('../../src/renderer/features/settings/vault-section.tsx')

const failed = () => screen.queryByRole('alert') !== null

test('the vault section removes its failure once the vault can be read again', async () => {
  view.mockRejectedValueOnce(new TypeError('fetch failed'))
  const drawn = drawInPage(createElement(VaultSection, { vault: { kind: 'memory', state: 'open' } }))
  await settled()
  expect(failed()).toBe(true)
  view.mockResolvedValueOnce({ asked: 'auto', keychain: 'usable' })
  drawn.rerender(createElement(VaultSection, { vault: { kind: 'file', state: 'open' } }))
  await settled()
  expect(failed()).toBe(false)
  expect(screen.getByRole('button', { name: 'Check now' })).toBeDefined()
})
