// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage, settled } from '../in-page.ts'

const { groups } = vi.hoisted(() => ({ groups: { add: vi.fn() } }))
vi.mock('../../../src/renderer/admin/team-api.ts', () => ({ teamApi: { groups } }))
vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: {} }))

const { ServiceScope } = await import('../../../src/renderer/data/service-scope.tsx')
const { GroupDialog } = await import('../../../src/renderer/admin/groups/group-dialog.tsx')

test('the fault of a field disappears when the field changes, and the others remain', async () => {
  drawInPage(
    createElement(
      ServiceScope,
      undefined,
      createElement(GroupDialog, { group: undefined, close: () => undefined }),
    ),
  )
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
  const faulty = () =>
    screen
      .getAllByRole('textbox')
      .filter((field) => field.getAttribute('aria-invalid') === 'true')
      .map((field) => field.closest('div')?.querySelector('label')?.textContent)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Members create their own keys' }))
  for (const name of ['Tokens per minute', 'Parallel requests']) type(name, 'many')
  fireEvent.click(screen.getByRole('button', { name: 'Add group' }))
  await settled()
  expect(faulty()).toEqual(['Name', 'Parallel requests', 'Tokens per minute'])
  type('Name', 'Research')
  type('Tokens per minute', '5')
  expect(faulty()).toEqual(['Parallel requests'])
  type('Parallel requests', '2')
  fireEvent.click(screen.getByRole('button', { name: 'Add group' }))
  await settled()
  expect(groups.add).toHaveBeenCalledOnce()
})
