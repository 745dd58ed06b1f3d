// @vitest-environment happy-dom
import { createElement } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bindDialogsToRoute, closeTopDialog, pushDialog } from '../../../src/renderer/ui/dialog-stack.ts'
import { Dialog } from '../../../src/renderer/ui/dialog.tsx'
import { drawInPage, settled } from '../in-page.ts'

const closed: string[] = []
const removals: (() => void)[] = []

/** Opens a dialog that is removed when it closes, as a component does. */
function openDialog(name: string): void {
  const remove = pushDialog(() => {
    closed.push(name)
    remove()
  })
  removals.push(remove)
}

/** A browser that lets a page cancel Back. Its entries are the numbers from 0 to 2, and the current one is 1. */
function bindTo(navigation: EventTarget & { currentEntry?: { index: number } }): void {
  vi.stubGlobal('navigation', Object.assign(navigation, { currentEntry: { index: 1 } }))
  bindDialogsToRoute()
}

function navigate(from: EventTarget, change: { type?: string; to?: number; cancelable?: boolean }): boolean {
  const { type = 'traverse', to = 0, cancelable = true } = change
  const event = new Event('navigate', { cancelable })
  Object.assign(event, { navigationType: type, destination: { index: to } })
  return !from.dispatchEvent(event)
}

async function visit(hash: string): Promise<void> {
  location.hash = hash
  dispatchEvent(new HashChangeEvent('hashchange'))
  await settled()
}

afterEach(() => {
  for (const remove of removals.splice(0)) remove()
  closed.length = 0
  location.hash = ''
  vi.unstubAllGlobals()
})

describe('Back', () => {
  it('closes the top dialog only, and stays in the view', () => {
    const navigation = new EventTarget()
    bindTo(navigation)
    openDialog('first')
    openDialog('second')
    expect(navigate(navigation, {})).toBe(true)
    expect(closed).toEqual(['second'])
    expect(navigate(navigation, {})).toBe(true)
    expect(closed).toEqual(['second', 'first'])
    expect(navigate(navigation, {})).toBe(false)
  })

  it.each([
    ['a link', { type: 'push', to: -1 }],
    ['Forward', { to: 2 }],
    ['a Back that the browser doesn’t let a page cancel', { cancelable: false }],
  ])('is not %s', (_name, change) => {
    const navigation = new EventTarget()
    bindTo(navigation)
    openDialog('first')
    expect(navigate(navigation, change)).toBe(false)
    expect(closed).toEqual([])
  })
})

describe('a dialog', () => {
  it.each([
    ['another view', '#/chat', '#/wallet', ['open']],
    ['another chat', '#/chat/a', '#/chat/b', ['open']],
    ['a new chat', '#/chat/a', '#/chat', ['open']],
    ['another part of its view', '#/wallet/accounts', '#/wallet/activity', []],
    ['the chat that begins with its message', '#/chat', '#/chat/a', []],
  ])('in %s', async (_name, from, to, expected) => {
    bindDialogsToRoute()
    await visit(from)
    openDialog('open')
    await visit(to)
    expect(closed).toEqual(expected)
  })

  it('is on the stack while it’s open', () => {
    const onClose = vi.fn()
    const dialog = (open: boolean) => createElement(Dialog, { open, onClose, title: 'A', children: 'text' })
    const { rerender } = drawInPage(dialog(true))
    expect(closeTopDialog()).toBe(true)
    expect(onClose).toHaveBeenCalledOnce()
    rerender(dialog(false))
    expect(closeTopDialog()).toBe(false)
  })
})
