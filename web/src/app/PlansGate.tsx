import Plans from '../features/plans/Plans';
import { planGate } from './planGate';

export default planGate(Plans, false);
