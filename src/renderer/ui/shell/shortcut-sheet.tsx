import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { create } from 'zustand'
import { Dialog } from '../dialog.tsx'
import { keysOf, shortcutNames, shortcuts } from '../shortcuts.ts'
import { useShortcut } from '../use-shortcut.ts'
import styles from './shortcut-sheet.module.css'

/** Keys that a view handles while it has the focus. */
const inViews: readonly { readonly keys: string; readonly description: string }[] = [
  {
    get keys() {
      return t`Enter`
    },
    get description() {
      return t`In the message field: send`
    },
  },
  {
    get keys() {
      return t`Shift Enter`
    },
    get description() {
      return t`In the message field: insert a new line`
    },
  },
  {
    keys: '↑',
    get description() {
      return t`In the empty message field: edit your last message`
    },
  },
  {
    get keys() {
      return t`Esc`
    },
    get description() {
      return t`Stop the reply, or close what’s open`
    },
  },
  {
    keys: '↑ ↓',
    get description() {
      return t`Move through lists and menus`
    },
  },
]

const useShortcutSheet = create<{ readonly open: boolean }>()(() => ({ open: false }))

export function showShortcuts(open: boolean): void {
  useShortcutSheet.setState({ open })
}

/** Lists every shortcut, from the table that also binds them. */
export function ShortcutSheet() {
  const open = useShortcutSheet((state) => state.open)
  useShortcut('shortcuts', () => showShortcuts(!useShortcutSheet.getState().open))
  useShortcut('shortcuts-outside', () => showShortcuts(true))
  return (
    <Dialog
      open={open}
      onClose={() => showShortcuts(false)}
      title={t({ message: 'Keyboard shortcuts', context: 'keyboard' })}
    >
      <dl className={styles.keys}>
        {shortcutNames.map((name) => (
          <Line key={name} keys={keysOf(name)} description={shortcuts[name].description} />
        ))}
      </dl>
      <h3 className={styles.heading}>
        <Trans>In the focused area</Trans>
      </h3>
      <dl className={styles.keys}>
        {inViews.map((each) => (
          <Line key={each.description} keys={each.keys} description={each.description} />
        ))}
      </dl>
    </Dialog>
  )
}

function Line({ keys, description }: { keys: string; description: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{description}</dd>
    </div>
  )
}
