#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts'

/** The command as it is installed. */
keepCompiledCode()
await import('./index.ts')
