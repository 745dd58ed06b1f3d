import { firstTables } from './0001-first-tables.ts'
import { verifiedEnclaves } from './0002-verified-enclaves.ts'
import { spending } from './0003-spending.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [firstTables, verifiedEnclaves, spending]
