import { t } from '@lingui/core/macro'
import { ChevronRight, Folder as Sign, FolderOpen } from 'lucide-react'
import type { Folder } from '../../../shared/prompt.ts'
import { formatCount } from '../../ui/format/number.ts'
import { Menu } from '../../ui/menu.tsx'
import { reportFailures } from './branches.ts'
import { LIST } from './chat-store.ts'
import { droppable, useDropTarget } from './conversation-drag.ts'
import styles from './conversation-list.module.css'
import { askAboutFolder, collapseFolder, removeFolder } from './folder-store.ts'

/** A folder's name, which opens and closes the folder and accepts dragged conversations. */
export function FolderRow({ folder, count }: { folder: Folder; count: number }) {
  const { name, collapsed = false } = folder
  const over = useDropTarget(folder.id)
  const Open = collapsed ? Sign : FolderOpen
  return (
    <div className={styles.row} data-over={over} {...droppable(folder.id)}>
      <h2 className={styles.folder}>
        <button
          type="button"
          className={styles.link}
          aria-expanded={!collapsed}
          onClick={() => void collapseFolder(folder, !collapsed)}
        >
          <ChevronRight
            size={14}
            strokeWidth={1.75}
            className={styles.turn}
            data-open={!collapsed}
            aria-hidden
          />
          <Open size={14} strokeWidth={1.75} className={styles.glyph} aria-hidden />
          <span className={styles.title} dir="auto">
            {name}
          </span>
          <span className={styles.count}>{formatCount(count)}</span>
        </button>
      </h2>
      <Menu
        className={styles.menu}
        label={t`More actions for folder ${name}`}
        items={[
          { name: t`Rename`, choose: () => askAboutFolder({ about: 'rename', folder }) },
          {
            name: t`Delete folder`,
            choose: () => void reportFailures(LIST, () => removeFolder(folder)),
            danger: true,
          },
        ]}
      />
    </div>
  )
}
