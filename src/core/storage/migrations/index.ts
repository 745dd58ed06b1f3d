import { firstTables } from './0001-first-tables.ts'
import { verifiedEnclaves } from './0002-verified-enclaves.ts'
import { spending } from './0003-spending.ts'
import { keyUse } from './0004-key-use.ts'
import { payments } from './0005-payments.ts'
import { chatInputs } from './0006-chat-inputs.ts'
import { jobs } from './0007-jobs.ts'
import { receiptPages } from './0008-receipt-pages.ts'
import { sealedRoot } from './0009-sealed-root.ts'
import { collateral } from './0010-collateral.ts'
import { projects } from './0011-projects.ts'
import { coveredDocuments, knowledge } from './0012-knowledge.ts'
import { tools } from './0013-tools.ts'
import type { Migration } from './migration.ts'

/** All migrations in order: the index of each is its version less one. */
export const migrations: readonly Migration[] = [
  firstTables,
  verifiedEnclaves,
  spending,
  keyUse,
  payments,
  chatInputs,
  jobs,
  receiptPages,
  sealedRoot,
  collateral,
  projects,
  knowledge,
  tools,
  coveredDocuments,
]
