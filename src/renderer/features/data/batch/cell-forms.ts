import { t } from '@lingui/core/macro'
import type { MappedColumn } from '../../../../shared/job-ask.ts'

export type CellForm = MappedColumn['as']

export const cellForms: readonly { readonly id: CellForm; readonly name: string }[] = [
  {
    id: 'text',
    get name() {
      return t`Text`
    },
  },
  {
    id: 'number',
    get name() {
      return t`Number`
    },
  },
  {
    id: 'boolean',
    get name() {
      return t`True or false`
    },
  },
  {
    id: 'list',
    get name() {
      return t`List, separated by semicolons`
    },
  },
  {
    id: 'json',
    get name() {
      return t`JSON`
    },
  },
]
