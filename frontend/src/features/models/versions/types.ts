import type { Schemas } from '@/api/types';

export type VersionItem = Schemas['ModelVersionItem'];
