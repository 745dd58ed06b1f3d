// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { announce, Announcer } from '../../../src/renderer/ui/announcer.tsx'
import { Button, IconButton } from '../../../src/renderer/ui/button.tsx'
import { CopyButton } from '../../../src/renderer/ui/copy-button.tsx'
import { EmptyState } from '../../../src/renderer/ui/empty-state.tsx'
import { Fact, Facts, HexFact } from '../../../src/renderer/ui/facts.tsx'
import { RadioGroup } from '../../../src/renderer/ui/radio-group.tsx'
import { Segments } from '../../../src/renderer/ui/segments.tsx'
import { Skeleton } from '../../../src/renderer/ui/skeleton.tsx'
import { Switch } from '../../../src/renderer/ui/switch.tsx'
import { Toast } from '../../../src/renderer/ui/toast.tsx'
import { ViewTabs } from '../../../src/renderer/ui/view-tabs.tsx'
import { drawInPage, settled } from '../in-page.ts'

const options = [
  { id: 'one', name: 'One' },
  { id: 'two', name: 'Two' },
]

describe('a button', () => {
  it.each([
    ['runs', {}, 1, 'Save'],
    ['that is busy shows that and doesn’t run again', { busy: 'Saving…' }, 0, 'Saving…'],
    ['that waits doesn’t run', { waits: true }, 0, 'Save'],
  ])('%s', (_name, part, runs, text) => {
    const onClick = vi.fn()
    drawInPage(createElement(Button, { onClick, children: 'Save', ...part }))
    const button = screen.getByRole('button', { name: text })
    button.focus()
    fireEvent.click(button)
    expect(onClick).toHaveBeenCalledTimes(runs)
    // A blocked button keeps the focus, which a disabled one would lose.
    expect(document.activeElement).toBe(button)
  })

  it('that is busy sends no form', () => {
    const onSubmit = vi.fn((event: Event) => event.preventDefault())
    drawInPage(
      createElement('form', { onSubmit }, createElement(Button, { type: 'submit', busy: 'Saving…' })),
    )
    fireEvent.click(screen.getByRole('button'))
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('with an icon only has a name and a tooltip', () => {
    drawInPage(createElement(IconButton, { label: 'Close' }))
    expect(screen.getByRole('button', { name: 'Close' }).title).toBe('Close')
  })

  it('that copies shows the outcome, also if the clipboard refuses', async () => {
    const writeText = vi
      .fn<(text: string) => Promise<void>>()
      .mockResolvedValueOnce()
      .mockRejectedValueOnce(new Error('refused'))
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    drawInPage(createElement(CopyButton, { label: 'Copy key', word: true, text: () => 'the key' }))
    const button = screen.getByRole('button', { name: 'Copy key' })
    fireEvent.click(button)
    await settled()
    expect(button.textContent).toBe('Copied')
    fireEvent.click(button)
    await settled()
    expect(button.textContent).toBe('Couldn’t copy')
    expect(writeText.mock.calls).toEqual([['the key'], ['the key']])
    vi.unstubAllGlobals()
  })
})

describe('a choice', () => {
  it('of segments is a press, and shows which one is pressed', () => {
    const onPress = vi.fn()
    drawInPage(createElement(Segments, { label: 'Amounts', options, chosen: 'one', onPress }))
    expect(screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)).toEqual([
      'One',
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Two' }))
    expect(onPress).toHaveBeenCalledExactlyOnceWith('two')
  })

  it('of radio buttons leaves out a disabled one', () => {
    const onChoose = vi.fn()
    const some = options.map((option) => ({ ...option, disabled: option.id === 'two' }))
    drawInPage(
      createElement(RadioGroup, { label: 'Places', name: 'places', options: some, chosen: 'one', onChoose }),
    )
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'One' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Two' }).disabled).toBe(true)
  })

  it('of on and off is a switch with its label', () => {
    const onTurn = vi.fn()
    drawInPage(createElement(Switch, { on: true, onTurn, label: 'Low balance alert' }))
    const turn = screen.getByRole('switch', { name: 'Low balance alert', checked: true })
    fireEvent.click(turn)
    expect(onTurn).toHaveBeenCalledOnce()
  })

  it('of tabs is in the address, and only the chosen tab is in the page', async () => {
    location.hash = '#/wallet/accounts'
    const tab = (id: string) => ({ id, name: id, Tab: () => createElement('p', null, `content of ${id}`) })
    drawInPage(
      createElement(ViewTabs, { view: 'wallet', label: 'Sections', tabs: [tab('topups'), tab('accounts')] }),
    )
    expect(screen.getByRole('tabpanel').textContent).toBe('content of accounts')
    fireEvent.mouseDown(screen.getByRole('tab', { name: 'topups' }), { button: 0 })
    dispatchEvent(new HashChangeEvent('hashchange'))
    await settled()
    // The first tab has the address of the view.
    expect(location.hash).toBe('#/wallet')
    expect(screen.getByRole('tabpanel').textContent).toBe('content of topups')
  })
})

describe('a message', () => {
  it('that repeats is announced again', () => {
    drawInPage(createElement(Announcer))
    act(() => announce('Copied'))
    const first = screen.getByRole('status').firstChild
    act(() => announce('Copied'))
    expect(screen.getByRole('status').textContent).toBe('Copied')
    expect(screen.getByRole('status').firstChild).not.toBe(first)
  })

  it('with an undo takes the focus only if nothing has it', () => {
    const toast = () => createElement(Toast, { message: 'Deleted', action: 'Undo', onAction: vi.fn() })
    const { unmount } = drawInPage(toast())
    expect(document.activeElement?.textContent).toBe('Undo')
    unmount()
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    drawInPage(toast())
    expect(document.activeElement).toBe(field)
    field.remove()
  })

  it('of something that loads, or of nothing, is for screen readers too', () => {
    const page = drawInPage(createElement(Skeleton, { label: 'Loading models…', lines: 2 }))
    expect(screen.getByRole('status').textContent).toBe('Loading models…')
    page.unmount()
    drawInPage(
      createElement(EmptyState, { title: 'No chats yet', children: createElement(Button, null, 'New chat') }),
    )
    expect(screen.getByText('No chats yet')).toBeDefined()
    expect(screen.getByRole('button', { name: 'New chat' })).toBeDefined()
  })

  it('of facts names each value, and hex is in groups', () => {
    drawInPage(
      createElement(Facts, {
        children: [
          createElement(Fact, { key: 'a', name: 'Model', children: 'Large' }),
          createElement(HexFact, { key: 'b', name: 'Key', copies: 'Copy key', hex: '0123456789abcdef' }),
        ],
      }),
    )
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      'Large',
      '01234567 89abcdef',
    ])
    expect(screen.getByRole('button', { name: 'Copy key' })).toBeDefined()
  })
})
