import type { SystemPage } from '@/ui/system-page';
import { trainingPage } from '@/ui/training/page';

export const page: SystemPage = trainingPage;
