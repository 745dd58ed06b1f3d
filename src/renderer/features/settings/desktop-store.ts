import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { DesktopSettings, DesktopView } from '../../../shared/desktop-settings.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'

interface DesktopState {
  /** Null without a desktop, and before it was asked. */
  readonly view: DesktopView | null
  readonly failure: Failure | undefined
}

/** One for all that shows its settings: they are changed as a whole. */
export const useDesktop = create<DesktopState>()(() => ({ view: null, failure: undefined }))

/** As the core said last. */
let kept: DesktopView | null = null
/** Which change is shown: what becomes of one before it is part of its own answer. */
let changes = 0

export async function loadDesktop(): Promise<void> {
  await api.desktop.view().then(
    (view) => {
      kept = view
      useDesktop.setState({ view, failure: undefined })
    },
    (thrown: unknown) => useDesktop.setState({ failure: asFailure(thrown) }),
  )
}

/** Shown at once, and as it was where the system does not take it. */
export async function changeDesktop(part: Partial<DesktopSettings>): Promise<void> {
  const { view } = useDesktop.getState()
  if (!view) return
  const turn = ++changes
  const wanted = { ...view.settings, ...part }
  useDesktop.setState({ view: { ...view, settings: wanted }, failure: undefined })
  try {
    kept = await api.desktop.change(wanted)
    if (turn === changes) useDesktop.setState({ view: kept })
  } catch (thrown) {
    if (turn === changes) useDesktop.setState({ view: kept, failure: asFailure(thrown) })
  }
}
