import { DataSource } from 'typeorm';
import { DatabaseConfig, dataSourceOptions } from '#libs/database';
import { loadConfig } from '#libs/config';
import { businessMigrations, identityMigrations } from './src/migrations.js';

/** The one DataSource of the TypeORM command line: every migration of every room and service. */
const all = [...new Set([...businessMigrations, ...identityMigrations])];

export default new DataSource(dataSourceOptions(loadConfig(DatabaseConfig), all));
