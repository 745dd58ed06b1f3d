import { I18nProvider } from '@lingui/react'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import type { JobEstimate } from '../../src/shared/job.ts'
import { i18n } from '../../src/renderer/ui/language/runtime.tsx'
import type { PriceState } from '../../src/renderer/ui/jobs/use-estimate.ts'

let price: PriceState = { state: 'none' }
let pay = 'balance'

vi.mock('../../src/renderer/ui/api.ts', () => ({ inDesktop: true, api: {} }))
vi.mock('../../src/renderer/ui/jobs/use-estimate.ts', () => ({ useEstimate: () => price }))
vi.mock('../../src/renderer/ui/jobs/pay-way.ts', () => ({
  choosePayWay: () => undefined,
  usePayWay: () => ({ pay, hasAccount: true }),
}))

const { AskLine } = await import('../../src/renderer/ui/jobs/ask-line.tsx')
const { BatchPrice } = await import('../../src/renderer/features/data/batch/batch-price.tsx')

const estimate: JobEstimate = { cost: { least: '40000000000', most: '40000000000' }, unknown: [] }
const ask: JobAsk = { kind: 'image', model: 'open/images', prompt: 'A boat', n: 10 }
const drawn = (element: ReactElement) => renderToStaticMarkup(createElement(I18nProvider, { i18n }, element))
const line = () =>
  drawn(createElement(AskLine, { ask, single: true, send: 'Generate', onStarted: () => undefined }))
const batch = () =>
  drawn(
    createElement(BatchPrice, {
      ask,
      missing: undefined,
      rowPrice: undefined,
      title: '',
      onStarted: () => undefined,
    }),
  )
/** Whether the one button that sends can be pressed. It names the price once that is known. */
const opens = (html: string, name: string) => {
  const label = new RegExp(`>${name}(?: · [^<]*)?<`)
  const button = html.split('<button').find((each) => label.test(each)) ?? ''
  expect(button).not.toBe('')
  return !/aria-disabled="true"| disabled=""/.test(button)
}

describe('what is paid from the balance', () => {
  test.each([
    ['before its price is known', { state: 'asking', before: undefined }, false],
    ['Showing while the price of what was asked for before is', { state: 'asking', before: estimate }, false],
    ['once its price is shown', { state: 'known', estimate }, true],
  ] satisfies readonly (readonly [string, PriceState, boolean])[])(
    '%s: whether it can be sent',
    (_, now, may) => {
      ;[price, pay] = [now, 'balance']
      expect(opens(line(), 'Generate')).toBe(may)
      expect(opens(batch(), 'Start batch')).toBe(may)
    },
  )
})

test('the service can be asked for its price without one', () => {
  ;[price, pay] = [{ state: 'asking', before: undefined }, 'single']
  expect(opens(line(), 'Get price in sats')).toBe(true)
  expect(opens(batch(), 'Start batch')).toBe(false)
})
