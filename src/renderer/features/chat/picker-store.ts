import { create } from 'zustand'
import type { Guide } from './model-guide.ts'
import { noFilters, type ModelFilters, type ModelOrder } from './pick-models.ts'

interface PickerState {
  readonly open: boolean
  /** Several are chosen, to answer side by side. */
  readonly comparing: boolean
  readonly filters: ModelFilters
  readonly order: ModelOrder
  readonly guide: Guide
}

/** The state of the shown composer's picker. Its settings remain until the window is closed. */
export const usePicker = create<PickerState>()(() => ({
  open: false,
  comparing: false,
  filters: noFilters,
  order: 'name',
  guide: 'all',
}))

export function showPicker({
  comparing = false,
  only,
}: { comparing?: boolean; only?: 'readable' } = {}): void {
  usePicker.setState(({ filters }) => ({
    open: true,
    comparing,
    filters: only === 'readable' ? { ...filters, privacy: 'readable' } : filters,
  }))
}

export function closePicker(): void {
  usePicker.setState({ open: false, comparing: false })
}
