import Buy from '../features/plans/Buy';
import { planGate } from './planGate';

export default planGate(Buy);
