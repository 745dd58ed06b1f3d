import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { DesktopSettings, DesktopView } from '../../../shared/desktop-settings.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'

interface DesktopState {
  /** Null without a desktop, and before the first load. */
  readonly view: DesktopView | null
  readonly failure: Failure | undefined
}

/** A single store for all views of the settings, because every change sends all settings. */
export const useDesktop = create<DesktopState>()(() => ({ view: null, failure: undefined }))

/** The last state that the core reported. */
let lastView: DesktopView | null = null
/**
 * The number of the newest change. Results of earlier changes aren't shown, because the newest result
 * includes them.
 */
let changes = 0

export async function loadDesktop(): Promise<void> {
  await api.desktop.view().then(
    (view) => {
      lastView = view
      useDesktop.setState({ view, failure: undefined })
    },
    (thrown: unknown) => useDesktop.setState({ failure: asFailure(thrown) }),
  )
}

/** Shows the change at once, and restores the previous state if the system rejects it. */
export async function changeDesktop(part: Partial<DesktopSettings>): Promise<void> {
  const { view } = useDesktop.getState()
  if (!view) return
  const turn = ++changes
  const wanted = { ...view.settings, ...part }
  useDesktop.setState({ view: { ...view, settings: wanted }, failure: undefined })
  try {
    lastView = await api.desktop.change(wanted)
    if (turn === changes) useDesktop.setState({ view: lastView })
  } catch (thrown) {
    if (turn === changes) useDesktop.setState({ view: lastView, failure: asFailure(thrown) })
  }
}
