// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LazyView } from '../../../src/renderer/ui/lazy-view.tsx'
import { Menu, type MenuItem } from '../../../src/renderer/ui/menu.tsx'
import { copyItem, copySecret, copyText, dispose } from '../../../src/renderer/ui/clipboard.ts'
import { SecretClipboardNote, SecretValue } from '../../../src/renderer/ui/secret-value.tsx'
import { ChartLegend, StackedChart } from '../../../src/renderer/ui/stacked-chart.tsx'
import { drawInPage, settled } from '../in-page.ts'

afterEach(() => {
  dispose()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a menu', () => {
  const onOpen = vi.fn()
  const choose = vi.fn<(name: string) => void>()
  const items: readonly MenuItem[] = ['Rename', 'Delete'].map((name) => ({
    name,
    choose: () => choose(name),
    ...(name === 'Delete' && { danger: true }),
  }))
  const openMenu = async () => {
    drawInPage(createElement(Menu, { label: 'More', items, onOpen }))
    const button = screen.getByRole('button', { name: 'More' })
    button.focus()
    fireEvent.keyDown(button, { key: 'Enter' })
    await settled()
    return button
  }

  it('shows its items only after it was opened, and runs the one that is chosen', async () => {
    drawInPage(createElement(Menu, { label: 'Closed', items }))
    expect(screen.queryByRole('menu')).toBeNull()
    await openMenu()
    expect(onOpen).toHaveBeenCalledOnce()
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Rename',
      'Delete',
    ])
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
    await settled()
    expect(choose.mock.calls).toEqual([['Delete']])
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('closes with Escape without choosing anything', async () => {
    choose.mockClear()
    await openMenu()
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    await settled()
    expect([screen.queryByRole('menu'), choose.mock.calls]).toEqual([null, []])
  })
})

describe('a chart', () => {
  const columns = [
    { id: 'a', name: 'November 1', axis: 'Nov 1', values: [1, 3] },
    { id: 'b', name: 'November 2', axis: 'Nov 2', values: [0, 2] },
  ]
  const draw = () =>
    drawInPage(
      createElement(StackedChart, {
        label: 'Spending',
        series: ['Lento', 'Allegro'],
        columns,
        format: (value: number) => `$${String(value)}`,
      }),
    )

  it('states each column in words, without empty parts', () => {
    draw()
    const names = screen.getAllByRole('img').map((column) => column.getAttribute('aria-label'))
    expect(names).toEqual(['November 1: $4, Lento $1, Allegro $3', 'November 2: $2, Allegro $2'])
  })

  it('is one stop of the Tab key, and arrow keys move between its columns', () => {
    draw()
    const [first, last] = screen.getAllByRole('img')
    expect([first?.tabIndex, last?.tabIndex]).toEqual([-1, 0])
    act(() => last?.focus())
    expect(screen.getByTestId('tooltip').textContent).toContain('November 2')
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowLeft' })
    expect(document.activeElement).toBe(first)
    expect(screen.getByTestId('tooltip').textContent).toContain('November 1')
    // There is no column before the first one.
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowLeft' })
    expect(document.activeElement).toBe(first)
  })

  it('has buttons if its columns can be pressed, with the note of each', () => {
    const pressed = vi.fn()
    drawInPage(
      createElement(StackedChart, {
        label: 'Spending',
        series: ['Lento'],
        columns: [{ id: 'a', name: 'November 1', axis: 'Nov 1', values: [1], note: '2 requests' }],
        format: String,
        onPress: pressed,
      }),
    )
    fireEvent.click(screen.getByRole('button', { name: 'November 1: 1, Lento 1, 2 requests' }))
    expect(pressed).toHaveBeenCalledExactlyOnceWith(0)
  })

  it('has a legend in the order of the series', () => {
    drawInPage(createElement(ChartLegend, { series: ['Lento', 'Allegro'] }))
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Lento',
      'Allegro',
    ])
  })
})

describe('a secret', () => {
  const draw = (writeText: (text: string) => Promise<void>) => {
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    drawInPage(createElement(SecretValue, { name: 'API key', secret: 'sk-1' }))
    return screen.getByRole('button', { name: /API key/ })
  }

  it('is copied, and the note counts down until it is cleared', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const written: string[] = []
    const button = draw((text) => {
      written.push(text)
      return Promise.resolve()
    })
    drawInPage(createElement(SecretClipboardNote))
    fireEvent.click(button)
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect([written, button.textContent]).toEqual([['sk-1'], 'Copied API key'])
    expect(screen.getByText(/will be cleared in \d+ s/)).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    expect(written).toEqual(['sk-1', ''])
    expect(screen.getByText(/^Clipboard cleared\./)).toBeDefined()
    // The button no longer claims that the clipboard has it.
    expect(button.textContent).toBe('Copy API key')
  })

  it.each([
    ['text', () => copyText('Report')],
    ['an image', () => copyItem(new ClipboardItem({ 'image/png': '' }))],
  ])('is gone from the clipboard once %s was copied after it, which is never cleared', async (_, copy) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const written: unknown[] = []
    const note = (content: unknown) => {
      written.push(content)
      return Promise.resolve()
    }
    vi.stubGlobal('navigator', { clipboard: { writeText: note, write: note } })
    await copySecret('sk-1')
    await copy()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(written).toHaveLength(2)
  })

  it('shows that the browser couldn’t copy it', async () => {
    const button = draw(() => Promise.reject(new TypeError('refused')))
    fireEvent.click(button)
    await settled()
    expect(button.textContent).toBe('Couldn’t copy API key')
  })
})

describe('a moment', () => {
  it('is a time of day on its day, and a date after midnight', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const noon = new Date(2026, 10, 29, 12).getTime()
    vi.setSystemTime(noon)
    vi.resetModules()
    const { Moment } = await import('../../../src/renderer/ui/moment.tsx')
    const { container } = drawInPage(createElement(Moment, { at: noon }))
    const time = container.querySelector('time')
    expect(time?.dateTime).toBe(new Date(noon).toISOString())
    const sameDay = time?.textContent ?? ''
    expect(sameDay).toMatch(/12:00/)
    vi.setSystemTime(noon + 13 * 3_600_000)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(time?.textContent).not.toBe(sameDay)
    expect(time?.textContent).toContain('29')
  })
})

describe('a view that is loaded when it is entered', () => {
  it('shows that it opens, and then the view', async () => {
    const { promise, resolve } = Promise.withResolvers<() => string>()
    drawInPage(createElement(LazyView, { title: 'Wallet', load: () => promise }))
    expect(screen.getByRole('heading', { name: 'Wallet' })).toBeDefined()
    expect(screen.queryByText('Loaded')).toBeNull()
    await act(async () => {
      resolve(() => 'Loaded')
      await promise
    })
    expect(screen.getByText('Loaded')).toBeDefined()
  })

  it('offers to reload the window if its code can’t be loaded', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    const load = () => Promise.reject(new TypeError('failed'))
    drawInPage(createElement(LazyView, { title: 'Wallet', load }))
    await settled()
    expect(screen.getByRole('alert').textContent).toContain('Nothing is lost')
    fireEvent.click(screen.getByRole('button', { name: 'Reload window' }))
    expect(reload).toHaveBeenCalledOnce()
  })
})
