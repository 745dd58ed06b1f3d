import { I18nProvider } from '@lingui/react'
import { act, cleanup, render, type RenderResult } from '@testing-library/react'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { afterEach } from 'vitest'
import { i18n } from '../../src/renderer/ui/language/runtime.tsx'

afterEach(cleanup)

/**
 * Renders the element in English, in the page of a test with `@vitest-environment happy-dom`, and removes it
 * after the test.
 */
export function drawInPage(element: ReactElement): RenderResult {
  return render(element, {
    wrapper: ({ children }: { children: ReactNode }) => createElement(I18nProvider, { i18n }, children),
  })
}

/** Waits until the page shows all answers that have arrived. */
export async function settled(): Promise<void> {
  await act(() => new Promise(setImmediate))
}
