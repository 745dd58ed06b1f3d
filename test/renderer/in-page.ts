import { I18nProvider } from '@lingui/react'
import { act, cleanup, render, type RenderResult } from '@testing-library/react'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { afterEach } from 'vitest'
import { i18n } from '../../src/renderer/ui/language/runtime.tsx'

afterEach(cleanup)

/** Draws it in the page of a test that says `@vitest-environment happy-dom`, in English; it is gone after the test. */
export function drawInPage(element: ReactElement): RenderResult {
  return render(element, {
    wrapper: ({ children }: { children: ReactNode }) => createElement(I18nProvider, { i18n }, children),
  })
}

/** What was answered by now has come into the page. */
export async function settled(): Promise<void> {
  await act(() => new Promise(setImmediate))
}
